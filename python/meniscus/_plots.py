"""Orders of convergence, and their picture."""
import numpy as np


def order(sizes, errors):
    """The p of error = C size^p that fits best: the slope of the line through the logarithms."""
    sizes, errors = np.asarray(sizes, dtype=float), np.asarray(errors, dtype=float)
    if sizes.shape != errors.shape or sizes.size < 2 or not (sizes > 0).all() or not (errors > 0).all():
        raise ValueError("expected as many errors as sizes, two or more, all positive")
    return float(np.polyfit(np.log(sizes), np.log(errors), 1)[0])


def convergence(runs, size, error):
    """Sizes, errors and the order of a set of runs: `size` and `error` are called with each."""
    sizes, errors = np.array([size(r) for r in runs]), np.array([error(r) for r in runs])
    by_size = np.argsort(sizes)
    return sizes[by_size], errors[by_size], order(sizes, errors)


def plot_convergence(sizes, errors, path=None, *, size_label="dx (m)", error_label="error", slopes=(1, 2)):
    """Errors over sizes on logarithmic axes, beside lines of these slopes; needs matplotlib (Debian: python3-matplotlib). Writes the
    file if there is a path; returns matplotlib's axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    sizes, errors = np.asarray(sizes, dtype=float), np.asarray(errors, dtype=float)
    figure = Figure(figsize=(4.8, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(xscale="log", yscale="log", xlabel=size_label, ylabel=error_label)
    for p in slopes:
        axes.plot(sizes, errors.max()*(sizes/sizes.max())**p, "--", color="0.6", linewidth=1)
        axes.annotate(f"order {p:g}", (sizes.min(), errors.max()*(sizes.min()/sizes.max())**p), color="0.4", fontsize=8,
                      xytext=(8, -10), textcoords="offset points")
    axes.plot(sizes, errors, "o-", color="#1f77b4", label=f"measured: order {order(sizes, errors):.2f}")
    axes.legend(frameon=False)
    if path:
        figure.savefig(path, dpi=120)
    return axes
