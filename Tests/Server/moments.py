"""Works that run at the same moment."""
import threading

from story import insist

TIMEOUT = 120


def at_once(*works):
    """Runs all at the same moment, and returns their results; raises the first failure."""
    results, failures = [None] * len(works), []
    gate = threading.Barrier(len(works))

    def run(number, work):
        try:
            gate.wait(TIMEOUT)
            results[number] = work()
        except BaseException as failure:
            failures.append(failure)

    threads = [
        threading.Thread(target=run, args=(number, work), daemon=True)
        for number, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    if failures:
        raise failures[0]
    late = sum(thread.is_alive() for thread in threads)
    insist(late == 0, late, "of", len(works), "works did not end within", TIMEOUT, "seconds")
    return results
