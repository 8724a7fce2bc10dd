/** Keys that were typed before the field that they are meant for has the focus. */
type TypedAhead = {
  /** From now on keys go nowhere else, until the field has the focus. */
  begin: () => void
  /** Told of every key; answers what was typed so far. */
  listen: (listener: (typed: Typed) => void) => Typed
  end: () => void
}
/** The text so far, and whether Enter was pressed after it. */
type Typed = { text: string; entered: boolean }

const nothingTyped: Typed = { text: '', entered: false }

function createTypedAhead(target: EventTarget): TypedAhead {
  let typed = nothingTyped
  let tell: (typed: Typed) => void = () => undefined
  const onKey = (event: Event) => {
    const next = afterKey(typed, event as KeyboardEvent) // listens for no other events
    if (next === undefined) return
    event.preventDefault()
    event.stopImmediatePropagation()
    typed = next
    tell(typed)
  }
  const end = () => {
    target.removeEventListener('keydown', onKey, true)
    tell = () => undefined
    typed = nothingTyped
  }
  return {
    begin() {
      end()
      target.addEventListener('keydown', onKey, true)
    },
    listen(listener) {
      tell = listener
      return typed
    },
    end,
  }
}

/** The text after a key; undefined for a key that is none of the field's. */
function afterKey({ text, entered }: Typed, event: KeyboardEvent): Typed | undefined {
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !isAltGr(event)
  if (isCommand || event.isComposing) return undefined
  if (event.key === 'Enter') return { text, entered: true }
  if (event.key === 'Backspace') return { text: [...text].slice(0, -1).join(''), entered }
  return [...event.key].length === 1 ? { text: text + event.key, entered } : undefined
}

/** Characters of the third level come with Ctrl and Alt on some systems. */
const isAltGr = (event: KeyboardEvent) => event.getModifierState('AltGraph')

/** For the palette, which is loaded when it is first opened. */
export const paletteKeys = createTypedAhead(window)
