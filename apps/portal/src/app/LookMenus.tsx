import { ActionIcon, Menu } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun, IconWorld } from '@tabler/icons-react'
import { languageNames, languages } from '../lib/locale-rules.ts'
import { useLook } from '../lib/look.ts'

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const

/** The languages, each by its own name. */
export function LanguageMenu() {
  const t = useWords()
  const { language, setLanguage } = useLook()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t('shell.language')}>
          <IconWorld size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((code) => (
          <Menu.Item
            key={code}
            lang={code}
            role="menuitemradio"
            aria-checked={code === language}
            onClick={() => void setLanguage(code)}
            rightSection={code === language ? <IconCheck size={14} /> : undefined}
          >
            {languageNames[code]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Light, dark, or as the system has it. */
export function SchemeMenu() {
  const t = useWords()
  const { scheme, setScheme } = useLook()
  const Current = schemes.find(({ value }) => value === scheme)?.icon ?? IconSun
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t('shell.scheme')}>
          <Current size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, icon: Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={value === scheme}
            leftSection={<Icon size={15} stroke={1.6} />}
            onClick={() => setScheme(value)}
            rightSection={value === scheme ? <IconCheck size={14} /> : undefined}
          >
            {t(`shell.scheme.${value}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
