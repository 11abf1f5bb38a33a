"""The web pages for people, and the JSON that only they use."""

from fastapi import APIRouter

from service.pages import documents, files, home, reviews, runs, uploads

router = APIRouter()
for part in (home, runs, reviews, uploads, documents, files):
    router.include_router(part.router)
