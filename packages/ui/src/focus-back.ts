import { useEffect } from 'react'

/** An element that had the focus, and the dialog that it stands in. */
type Place = { element: HTMLElement; dialog: Element | null }

/**
 * Gives the focus back to what opened a dialog once that is gone. Dialogs are drawn only while they
 * are open, so none of them knows by itself what had the focus before.
 */
export function useFocusBack() {
  useEffect(() => {
    const openers = new WeakMap<Element, Place>()
    let last: Place | undefined
    /** The element that opened a dialog; if it was in a dialog that is gone too, the element that opened that one. */
    const openerOf = (gone: Element): HTMLElement | undefined => {
      const place = openers.get(gone)
      if (!place || place.element.isConnected) return place?.element
      return place.dialog ? openerOf(place.dialog) : undefined
    }
    const observer = new MutationObserver(() => {
      const gone = last?.dialog
      if (!gone || gone.isConnected) return
      observer.disconnect()
      // A dialog that comes in its place takes the focus itself.
      globalThis.setTimeout(() => {
        if (document.activeElement === document.body) openerOf(gone)?.focus({ preventScroll: true })
      }, 30)
    })
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      const dialog = target.closest('[role="dialog"]')
      if (!dialog) observer.disconnect()
      else {
        if (last && last.dialog !== dialog && !openers.has(dialog)) openers.set(dialog, last)
        observer.observe(document.body, { childList: true, subtree: true })
      }
      last = { element: stayingOf(target), dialog }
    }
    document.addEventListener('focusin', onFocus)
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
}

/** An item of a menu goes with the menu; its button stays. */
function stayingOf(target: HTMLElement) {
  const button = target.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || target
}
