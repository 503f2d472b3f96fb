"""The bar of `progress=True`."""


def bar():
    """Return a function of a share from 0 to 1 that shows it as a bar."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ModuleNotFoundError("progress=True needs the package tqdm, which is not installed: install it, or pass a function") from None
    shown = []

    def show(share):
        if not shown:
            shown.append(tqdm(total=1.0, bar_format="{percentage:3.0f}%|{bar}| {elapsed}<{remaining}"))
        shown[0].update(share - shown[0].n)
        if share >= 1:
            shown.pop().close()

    return show
