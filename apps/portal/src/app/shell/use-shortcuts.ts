import { late } from '@longreach/ui/late'
import { useNavigate } from '@tanstack/react-router'
import { createElement, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { chooseFeatures, featuresOffered } from '../../parts/session/features.ts'
import { useSession } from '../../parts/session/session.ts'
import { onIdle } from '@longreach/ui/on-idle'
import { reportProblem } from '../../parts/api/problems.ts'
import { sections } from '../../sections.ts'
import { paletteKeys } from './typed-ahead.ts'
import { shortcutOf } from './shortcut-rules.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

export type Overlay = 'palette' | 'help' | 'organizations' | 'features'

/** The palette with the words of values; loaded ahead, since people type at once. */
const palette = () => withWords(import('./CommandPalette.tsx'), 'live')

const overlays = {
  palette: late(palette, 'CommandPalette'),
  help: late(() => import('./KeyboardHelp.tsx'), 'KeyboardHelp'),
  organizations: late(() => import('../switcher/OrganizationSwitcher.tsx'), 'OrganizationSwitcher'),
  features: late(() => withWords(import('./FeaturesDialog.tsx'), 'features'), 'FeaturesDialog'),
}

/** The keys of the shell, and the one panel that is open over it. */
export function useShortcuts(toggleMenu: () => void) {
  const navigate = useNavigate()
  const session = useSession()
  const [overlay, setOverlay] = useState<Overlay>()
  const open = useCallback((next: Overlay) => {
    // Keys that come before its field has the focus are kept for it.
    if (next === 'palette') paletteKeys.begin()
    setOverlay(next)
  }, [])
  useEffect(
    () =>
      onIdle(() => {
        palette().catch((cause: unknown) => reportProblem('The palette did not load ahead', cause))
      }),
    [],
  )

  useEffect(() => {
    let afterG = false
    const onKey = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event, afterG)
      afterG = shortcut?.kind === 'g'
      if (shortcut === undefined || shortcut.kind === 'g') return
      if (shortcut.kind === 'filter' && !focusFilter()) return
      if (shortcut.kind === 'jump') {
        const target = sections.find((one) => one.key === shortcut.key && mayEnter(one, session))
        if (target === undefined) return
        void navigate({ to: target.path })
      }
      event.preventDefault()
      if (shortcut.kind === 'menu') toggleMenu()
      if (shortcut.kind === 'featuresOn') chooseFeatures(featuresOffered())
      if (shortcut.kind === 'featuresOff') chooseFeatures([])
      if (isOverlay(shortcut.kind)) open(shortcut.kind)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, session, toggleMenu, open])

  const close = () => {
    paletteKeys.end()
    setOverlay(undefined)
  }
  const element: ReactNode =
    overlay === undefined
      ? null
      : createElement(
          Suspense,
          { fallback: null },
          createElement(overlays[overlay], { onClose: close }),
        )
  return { open, element }
}

const isOverlay = (kind: string): kind is Overlay => Object.hasOwn(overlays, kind)

/** Pages mark their filter field with `data-filter`. */
function focusFilter() {
  const field = document.querySelector<HTMLInputElement>('main input[data-filter]')
  field?.focus()
  field?.select()
  return field !== null
}
