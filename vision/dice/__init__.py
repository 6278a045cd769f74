"""Pip dice in still pictures, read without enrolment: on a table's spots or anywhere in a picture."""
