"""Orders in which nodes are visited."""

from __future__ import annotations

from collections.abc import Container, Sequence


def reverse_post_order(
    successors: Sequence[Sequence[int]], roots: Sequence[int], known: Container[int] = ()
) -> list[int]:
    """The nodes that roots lead to, each before those it leads to wherever edges allow; what is `known` is left out.

    Of two branches the one named first comes first. Iterative, since a log can be a million blocks deep.

    >>> reverse_post_order([[1, 2], [3], [3], []], [0])
    [0, 1, 2, 3]
    """
    seen: set[int] = set()
    postorder: list[int] = []
    for root in reversed(roots):
        if root in seen or root in known:
            continue
        seen.add(root)
        work = [(root, reversed(successors[root]))]
        while work:
            following = next((n for n in work[-1][1] if n not in seen and n not in known), None)
            if following is None:
                postorder.append(work.pop()[0])
            else:
                seen.add(following)
                work.append((following, reversed(successors[following])))
    return postorder[::-1]
