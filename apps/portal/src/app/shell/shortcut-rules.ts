type Key = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'
>

type Shortcut =
  | { kind: 'palette' | 'menu' | 'help' | 'filter' | 'g' }
  | { kind: 'features' | 'featuresOn' | 'featuresOff' }
  | { kind: 'jump'; key: string }

/**
 * Shortcut of a key; undefined while a text field or an editor has the focus, except Ctrl+K.
 * `afterG`: the key before it was `g`.
 */
export function shortcutOf(event: Key, afterG: boolean): Shortcut | undefined {
  const key = event.key.toLowerCase()
  const control = event.ctrlKey || event.metaKey
  if (control || event.altKey) return withControl(event, key)
  if (isTyping(event.target)) return undefined
  if (afterG && /^[a-z]$/.test(key)) return { kind: 'jump', key }
  if (key === '?') return { kind: 'help' }
  if (key === '/') return { kind: 'filter' }
  return key === 'g' ? { kind: 'g' } : undefined
}

/** The letter that a key has where it was first drawn: `KeyE` is `e`. */
const letterOf = (code: string) => /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? ''

const experimental = new Map<string, 'features' | 'featuresOn' | 'featuresOff'>([
  ['s', 'features'],
  ['e', 'featuresOn'],
  ['d', 'featuresOff'],
])

function withControl(event: Key, key: string): Shortcut | undefined {
  if (event.ctrlKey && event.altKey && event.shiftKey) {
    // Where Ctrl+Alt is AltGr the character is another one, so the key itself counts too.
    const kind = experimental.get(key) ?? experimental.get(letterOf(event.code))
    return kind && { kind }
  }
  if (event.altKey || event.shiftKey) return undefined
  if (key === 'k') return { kind: 'palette' }
  return key === 'b' && !isTyping(event.target) ? { kind: 'menu' } : undefined
}

function isTyping(target: EventTarget | null) {
  const element = target as { tagName?: string; isContentEditable?: boolean; type?: string } | null
  if (element?.isContentEditable === true) return true
  if (element?.tagName === 'INPUT')
    return !/^(checkbox|radio|button|submit)$/.test(element.type ?? '')
  return element?.tagName === 'TEXTAREA' || element?.tagName === 'SELECT'
}
