"""Which model does what in a run, and which combinations are refused."""

from dataclasses import dataclass

from common.errors import BadInput
from common.models import Role, family, role_for, supports_vision
from common.settings import get_settings
from graphs.qgen_loop.schemas import Mode

GRAPH = "qgen_loop"


@dataclass(frozen=True)
class Roles:
    """The four roles of a run."""

    generator: Role
    validator: Role
    deduplicator: Role
    judge: Role


def roles_for(
    generator: str | None, validator: str | None, deduplicator: str | None, judge: str | None
) -> Roles:
    """Roles with their models: the run's choice, the environment's, or the profile's."""
    checking = role_for(GRAPH, "validator", validator, checks=True)
    chosen_judge = judge or get_settings().models.get(f"{GRAPH}_judge") or checking.spec
    return Roles(
        generator=role_for(GRAPH, "generator", generator, temperature=0.7),
        validator=checking,
        deduplicator=role_for(GRAPH, "deduplicator", deduplicator, checks=True),
        judge=role_for(GRAPH, "judge", chosen_judge, checks=True),
    )


def conflicts(roles: Roles, *, allow_same_family: bool) -> list[str]:
    """Warnings about the choice of models; raises where a model would confirm itself."""
    generator, validator = roles.generator.spec, roles.validator.spec
    if roles.generator.is_rules or roles.validator.is_rules:
        return []
    if generator == validator:
        raise BadInput(
            f"Generator and validator are the same model, {generator}.",
            remedy="Choose another validator_model: a model must not confirm its own questions.",
        )
    if family(generator) != family(validator):
        return []
    if not allow_same_family:
        raise BadInput(
            f"{generator} and {validator} are of one model family, {family(generator)}.",
            remedy="Choose a validator_model of another family, or set allow_same_family.",
        )
    return [f"generator {generator} and validator {validator} are of one model family"]


def need_vision(roles: Roles, mode: Mode) -> None:
    """Visual mode needs eyes on both sides."""
    if mode != "visual":
        return
    for role in (roles.generator, roles.validator):
        if role.is_rules or not supports_vision(role.spec):
            raise BadInput(
                f"Visual mode needs a {role.name} that sees images; {role.spec} does not.",
                remedy=f"Set {role.name}_model to a vision model, for example google_genai:gemini-2.5-flash.",
            )
