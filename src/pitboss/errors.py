"""The one kind of error that is a user's mistake rather than ours."""


class Mistake(ValueError):
    """Something given to Pitboss was wrong; the message is one plain sentence.

    The command line prints the sentence and exits with status 2.
    """
