// Pressing on our picture, or pointing at it, shows the reference in its place.
for (const ours of document.querySelectorAll("img.ours")) {
  const own = ours.src;
  const reference = ours.closest(".pictures").querySelector("img.reference").src;
  ours.addEventListener("pointerenter", () => { ours.src = reference; });
  ours.addEventListener("pointerleave", () => { ours.src = own; });
}
