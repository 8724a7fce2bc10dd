import { ActionIcon, Menu } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { IconDeviceDesktop, IconMoon, IconSun, IconWorld } from '@tabler/icons-react'
import { type Language, languageNames, languages } from '../lib/locale-rules.ts'
import { type Scheme, useLook } from '../lib/look.ts'

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
        <Menu.RadioGroup value={language} onChange={(code) => void setLanguage(code as Language)}>
          {languages.map((code) => (
            <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
              {languageNames[code]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
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
        <Menu.RadioGroup value={scheme} onChange={(value) => setScheme(value as Scheme)}>
          {schemes.map(({ value }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {t(`shell.scheme.${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
