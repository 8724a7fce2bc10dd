/** Put the cursor into the first field on the page that is wrong, once the page shows which those are. */
export function focusFirstFault() {
  requestAnimationFrame(() => {
    const wrong = 'form input:is([aria-invalid="true"], [data-error="true"])'
    document.querySelector<HTMLElement>(wrong)?.focus()
  })
}
