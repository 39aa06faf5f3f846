"""`python -m statemem`: the command line."""

from statemem.cli import main

if __name__ == "__main__":
    main()
