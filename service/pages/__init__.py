"""The web pages for people, and the JSON that only they use."""

from fastapi import APIRouter

from service.pages import documents, files, home, reviews, runs, tutor, uploads

router = APIRouter()
for part in (home, runs, reviews, uploads, documents, tutor, files):
    router.include_router(part.router)
