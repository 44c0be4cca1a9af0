"""The tree that minimax searches, for people who want to see it: what is looked at, what is cut off, and why."""

from .drawing import drawing
from .facts import facts
from .nodes import Cut, Node, Step, Tree, Window
from .searching import DEEPEST, ORDERS, search_tree

__all__ = ["DEEPEST", "ORDERS", "Cut", "Node", "Step", "Tree", "Window", "drawing", "facts", "search_tree"]
