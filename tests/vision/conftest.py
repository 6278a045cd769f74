"""Its being here puts this folder on the path: `evening` serves the tests of every room of the eye."""
