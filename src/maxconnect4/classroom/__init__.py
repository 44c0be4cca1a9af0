"""A class: submissions from an archive of the learning platform, their checks, grades and feedback."""
