import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { IconDeviceDesktop, IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { mayEnter } from '../lib/access-rules.ts'
import { languageNames, languages } from '../lib/locale-rules.ts'
import { useLook } from '../lib/look.ts'
import type { Icon } from '../lib/section.ts'
import { useSession } from '../lib/session.ts'
import { sections } from '../sections.ts'
import { useDeviceHits } from './use-device-hits.ts'

type Entry = { key: string; label: string; note?: string; icon?: Icon; run: () => void }

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const

/** What the palette offers for a text, by group; groups without a hit are left out. */
export function usePaletteEntries(text: string) {
  const t = useWords()
  const toast = useToast()
  const navigate = useNavigate()
  const session = useSession()
  const { language, setLanguage, scheme, setScheme } = useLook()
  const devices: Entry[] = useDeviceHits(text)
  const pages: Entry[] = sections
    .filter((section) => mayEnter(section, session))
    .map(({ id, path, icon, key }) => ({
      key: id,
      label: t(`shell.section.${id}`),
      icon,
      ...(key !== undefined && { note: `g ${key}` }),
      run: () => void navigate({ to: path }),
    }))
  const signOut = () =>
    void session.signOut().catch(() => toast({ kind: 'failed', message: t('shell.signOutFailed') }))
  const look: Entry[] = [
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
  const fits = ({ label, note = '' }: Entry) =>
    `${label} ${note}`.toLowerCase().includes(text.trim().toLowerCase())
  return [
    { id: 'pages', entries: pages.filter(fits) },
    { id: 'devices', entries: devices },
    { id: 'look', entries: look.filter(fits) },
  ].filter(({ entries }) => entries.length > 0)
}
