import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import {
  IconCpu,
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPencil,
  IconSun,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { languageNames, languages } from '../../parts/words/locale-rules.ts'
import { useLook } from '../../parts/look/look.ts'
import { recentOf } from '../../parts/pages/recent.ts'
import { useSession } from '../../parts/session/session.ts'
import { sections } from '../../sections.ts'
import { paletteActions } from './palette-actions.ts'
import type { Entry, EntryGroup } from './palette-entry.ts'
import { useDeviceHits } from './use-device-hits.ts'
import { usePeopleHits } from './use-people-hits.ts'
import { useValueHits } from './use-value-hits.ts'

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const
/** A text is looked for when nothing was typed for so long. */
const settledMs = 120
const mostRecent = 5

type Mode = { writing: boolean; onWrite: () => void }

/** Entries of the palette for a text, by group; `searching` while some are still loading. */
export function usePaletteEntries(text: string, { writing, onWrite }: Mode) {
  const typed = text.trim()
  const settled = useSettled(typed)
  const devices = useDeviceHits(writing ? '' : settled)
  const values = useValueHits(settled, writing)
  const people = usePeopleHits(writing ? '' : settled)
  const pages = usePages()
  const recent = useRecent()
  const actions = useActions(onWrite)
  const look = useLookEntries()
  const fits = ({ label, note = '' }: Entry) =>
    `${label} ${note}`.toLowerCase().includes(typed.toLowerCase())
  const found: EntryGroup = { id: 'values', entries: values.entries }
  const groups: EntryGroup[] = writing
    ? [found]
    : [
        { id: 'recent', entries: typed === '' ? recent : [] },
        { id: 'actions', entries: actions.filter(fits) },
        { id: 'pages', entries: pages.filter(fits) },
        { id: 'devices', entries: devices.entries },
        found,
        { id: 'people', entries: people.entries },
        { id: 'look', entries: look.filter(fits) },
      ]
  const asked = [devices, values, people]
  const searching = typed.length > 1 && (typed !== settled || asked.some((one) => one.searching))
  return { groups: groups.filter(({ entries }) => entries.length > 0), searching }
}

/** The text once nothing more is typed. */
function useSettled(text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function usePages(): Entry[] {
  const t = useWords()
  const navigate = useNavigate()
  const session = useSession()
  return sections
    .filter((section) => mayEnter(section, session))
    .map(({ id, path, icon, key }) => ({
      key: id,
      label: t(`shell.section.${id}`),
      icon,
      ...(key !== undefined && { keys: `g ${key}` }),
      run: () => void navigate({ to: path }),
    }))
}

/** Recently opened pages and devices, without those that the person may not open any more. */
function useRecent(): Entry[] {
  const t = useWords()
  const navigate = useNavigate()
  const session = useSession()
  const [opened] = useState(() => recentOf(session))
  return opened
    .flatMap((one): Entry[] => {
      if (one.kind === 'device') {
        const { id, label } = one
        const run = () => void navigate({ to: `/devices/${id}` })
        return session.permissions.has('devices:read')
          ? [{ key: `recent ${id}`, label, icon: IconCpu, run }]
          : []
      }
      const section = sections.find(({ id }) => id === one.id)
      if (section === undefined || !mayEnter(section, session)) return []
      const { id, path, icon } = section
      const run = () => void navigate({ to: path })
      return [{ key: `recent ${id}`, label: t(`shell.section.${id}`), icon, run }]
    })
    .slice(0, mostRecent)
}

/** Actions of every page that the person may take. */
function useActions(onWrite: () => void): Entry[] {
  const t = useWords()
  const navigate = useNavigate()
  const { permissions } = useSession()
  const allowed = paletteActions.filter(({ permissions: needed }) =>
    needed.every((permission) => permissions.has(permission)),
  )
  const mayWrite = permissions.has('devices:update') && permissions.has('devices:read')
  const write: Entry = {
    key: 'write',
    label: t('shell.palette.action.write'),
    icon: IconPencil,
    run: onWrite,
    stays: true,
  }
  return [
    ...(mayWrite ? [write] : []),
    ...allowed.map(({ id, to, search, icon }) => ({
      key: id,
      label: t(`shell.palette.action.${id}`),
      icon,
      run: () => void navigate({ to, search: search ?? {} }),
    })),
  ]
}

/** Colors, languages and leaving. */
function useLookEntries(): Entry[] {
  const t = useWords()
  const toast = useToast()
  const session = useSession()
  const { language, setLanguage, scheme, setScheme } = useLook()
  const signOut = () =>
    void session.signOut().catch(() => toast({ kind: 'failed', message: t('shell.signOutFailed') }))
  return [
    ...schemes
      .filter(({ value }) => value !== scheme)
      .map(({ value, icon }) => ({
        key: value,
        label: t('shell.palette.scheme', { scheme: t(`shell.scheme.${value}`) }),
        icon,
        run: () => setScheme(value),
      })),
    ...languages
      .filter((code) => code !== language)
      .map((code) => ({
        key: code,
        label: languageNames[code],
        note: t('shell.language'),
        icon: IconLanguage,
        run: () => void setLanguage(code),
      })),
    { key: 'out', label: t('shell.signOut'), icon: IconLogout, run: signOut },
  ]
}
