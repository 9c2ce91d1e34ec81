"""How many tokens of a chunk are embedded, and that another number makes other vectors."""

from dataclasses import replace

from codeindex.config.schema import Config, EmbeddingConfig
from codeindex.embed.lock import DEFAULT_MODEL, SHIPPED_MODEL, load_lock
from codeindex.ingest.sync.context import embedded_tokens, model_identity

MODELS = load_lock()


def test_the_model_decides_how_many_tokens_are_embedded_unless_the_setting_does() -> None:
    config = Config()
    longer = replace(config, embedding=EmbeddingConfig(max_tokens=200))
    for model, tokens in ((MODELS[SHIPPED_MODEL], 256), (MODELS[DEFAULT_MODEL], 128)):
        assert embedded_tokens(model, config) == tokens
        assert embedded_tokens(model, longer) == 200
        assert model_identity(model, config) != model_identity(model, longer)


def test_models_that_embed_as_many_tokens_as_before_keep_their_identity() -> None:
    model = MODELS[DEFAULT_MODEL]
    assert model_identity(model, Config()) == f"{model.id}@{model.fingerprint[:16]}/128"
