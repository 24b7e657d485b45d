"""What is evaluated, and what is reported: a file, each function by itself, a survey."""
