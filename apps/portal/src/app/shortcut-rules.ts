type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'>

export type Shortcut =
  | { kind: 'palette' | 'menu' | 'help' | 'filter' | 'g' }
  | { kind: 'features' | 'featuresOn' | 'featuresOff' }
  | { kind: 'jump'; key: string }

/**
 * What a key means to the shell; nothing while a text field or an editor has the focus, except Ctrl+K.
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

const experimental = { s: 'features', e: 'featuresOn', d: 'featuresOff' } as const

function withControl(event: Key, key: string): Shortcut | undefined {
  if (event.ctrlKey && event.altKey && event.shiftKey) {
    const kind = Object.hasOwn(experimental, key) && experimental[key as keyof typeof experimental]
    return kind ? { kind } : undefined
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
