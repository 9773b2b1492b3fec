"""Hooks of mkdocs: the README becomes the first page, and bench/RESULTS.md a page; the navigation is that of docs/README.md."""
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Pages outside docs/, by the name they have in the site.
OTHER_PAGES = {"index.md": ROOT / "README.md", "results.md": ROOT / "bench/RESULTS.md"}
LINK = re.compile(r"\[([^\]]+)\]\(([^)#:\s]+)(#[^)]*)?\)")
SECTION = re.compile(r"^## (Start|Guide|Reference|Internals)\n(.*?)(?=^## |\Z)", re.M | re.S)


def on_config(config):
    contents = (ROOT / "docs/README.md").read_text()
    navigation = [{"Reprise": "index.md"}]
    for name, table in SECTION.findall(contents):
        navigation.append({name: re.findall(r"^\| \[[\w.]+\]\((\w+\.md)\)", table, re.M)})
    navigation.append({"Figures": "results.md"})
    config.nav = navigation
    return config


def on_files(files, config):
    files.remove(files.get_file_from_path("README.md"))
    for name, source in OTHER_PAGES.items():
        files.append(File.generated(config, name, content=source.read_text()))
    return files


def target_in_site(source, target):
    """The page that a link of `source` leads to; nothing for a file that is not part of the site."""
    path = (source.parent / target).resolve()
    for name, page in {**OTHER_PAGES, "index.md": ROOT / "README.md"}.items():
        if path == page:
            return name
    if path == ROOT / "docs" or path == ROOT / "docs/README.md":
        return "index.md"
    return path.relative_to(ROOT / "docs").as_posix() if path.is_relative_to(ROOT / "docs") else None


def on_page_markdown(markdown, page, config, files):
    source = OTHER_PAGES.get(page.file.src_uri, ROOT / "docs" / page.file.src_uri)

    def rewritten(match):
        text, target, anchor = match.groups()
        if not (source.parent / target).exists():
            return match[0]  # mkdocs reports it
        found = target_in_site(source, target)
        if found and text.endswith(".md"):  # a reader of the site knows pages by their titles
            text = re.search(r"^# (.*)$", OTHER_PAGES.get(found, ROOT / "docs" / found).read_text(), re.M)[1]
        return f"[{text}]({found}{anchor or ''})" if found else text

    return LINK.sub(rewritten, markdown)
