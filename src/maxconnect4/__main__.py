"""The program `maxconnect4`, also as `python -m maxconnect4`."""

import sys


def main() -> int:
    """Run the command line, and handle an interrupt while it is imported."""
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:  # cli.main handles those that come later
        sys.stderr.write("maxconnect4: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
