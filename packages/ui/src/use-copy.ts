import { useState } from 'react'

const saidForMs = 1_500

/** Copies texts to the clipboard, and tells for a moment how that went. */
export function useCopy() {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('refused') // no permission for the clipboard: said at the button
    }
    setTimeout(() => setState('ready'), saidForMs)
  }
  return { state, copy }
}
