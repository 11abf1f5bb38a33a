"""What every node needs at hand: the run's models, budget, embedder and knowledge base."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from langgraph.runtime import Runtime

from common.budget import Budget
from common.embeddings import Embedder, get_embedder
from common.models import Role, role_for
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.duplicates import Thresholds, thresholds_for
from graphs.concept_extraction.knowledge import KnowledgeStore, open_knowledge
from graphs.concept_extraction.schemas import Language
from graphs.concept_extraction.state import State

GRAPH = "concept_extraction"


def context_of(runtime: Runtime[Context]) -> Context:
    return runtime.context or Context()


def reasoning(context: Context) -> Role:
    return role_for(GRAPH, "reasoning", context.reasoning_model)


def checking(context: Context) -> Role:
    """The model that judges; the one that reasons, unless another is named."""
    return role_for(GRAPH, "checking", context.checking_model or context.reasoning_model, checks=True)


def simple(context: Context) -> Role:
    return role_for(GRAPH, "simple", context.simple_model)


def budget_of(state: State, context: Context) -> Budget:
    """What may still be spent: the run's limits, or those a person set after the estimate."""
    allowed = state.get("allowance") or {}
    return Budget(
        state.get("spent"),
        max_calls=allowed.get("max_calls", context.max_calls),
        max_tokens=allowed.get("max_tokens", context.max_tokens),
        max_usd=allowed.get("max_usd", context.max_usd),
    )


def language_in(state: State) -> Language:
    content = state.get("content") or {}
    return "en" if content.get("language") == "en" else "es"


async def embedder_for(context: Context) -> Embedder:
    """Loading a model reads files: off the event loop."""
    return await asyncio.to_thread(get_embedder, context.embedder)


def limits_for(context: Context, embedder: Embedder) -> Thresholds:
    """What scores mean with this embedder; the run may set its own least score."""
    limits = thresholds_for(embedder.name)
    return limits if context.threshold is None else replace(limits, near=context.threshold)


@asynccontextmanager
async def knowledge(context: Context) -> AsyncIterator[KnowledgeStore]:
    """The knowledge base, opened for this run's embedder."""
    embedder = await embedder_for(context)
    dimension = await asyncio.to_thread(lambda: embedder.dimension)
    async with open_knowledge(embedder.name, dimension) as store:
        yield store
