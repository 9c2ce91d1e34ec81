"""Select the model of a sync: the index's own, else the configured or the best installed one."""

from __future__ import annotations

from collections.abc import Callable

from codeindex.config import Config, data_home
from codeindex.embed.choose import WITHOUT_TRANSFORMER, ModelChoice, choose_model, ready_model
from codeindex.store.shadow_index import model_id


def select_model(
    published: str, config: Config, *, may_fetch: bool, progress: Callable[[str, int, int], None]
) -> ModelChoice:
    """Choose the model for a sync, and say why.

    `published` is the identity of the model that computed the index's vectors, or ''. While this
    model is installed, it stays in use, even if `embedding.model` names another one; only the
    values in `WITHOUT_TRANSFORMER` override it. The model changes only by an upgrade, which keeps
    the old vectors until there are new ones.
    """
    own = model_id(published) if config.embedding.model not in WITHOUT_TRANSFORMER else ""
    known = ready_model(data_home(), own) if own else None
    if known is None:
        return choose_model(
            data_home(),
            config,
            may_fetch=may_fetch,
            progress=lambda file, done, total: progress(f"model {file}", done, total),
        )
    wanted, remedy = config.embedding.model, ""
    if wanted not in {"", own}:
        remedy = f"`codeindex upgrade-embeddings --model {wanted}` changes it to the configured one"
    return ModelChoice(known, f"{own}, which this index was made with", remedy)
