"""The web pages for people, and the JSON that only they use."""

from fastapi import APIRouter

from service.pages import files, home, reviews, runs, uploads

router = APIRouter()
for part in (files, home, runs, reviews, uploads):
    router.include_router(part.router)
