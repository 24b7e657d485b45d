"""Who is evaluated, and what is said of it: a file, each function by itself, a survey."""
