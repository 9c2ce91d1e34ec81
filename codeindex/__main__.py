"""`python -m codeindex` is the command `codeindex`."""

from codeindex.cli import main

main(prog_name="codeindex")
