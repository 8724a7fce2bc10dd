import { ActionIcon, Menu } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { IconDeviceDesktop, IconMoon, IconSun, IconWorld } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { type Language, languageNames, languages } from '../../parts/words/locale-rules.ts'
import { type Scheme, useLook } from '../../parts/look/look.ts'

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const

/** The languages, each by its own name. */
export function LanguageMenu() {
  const t = useWords()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t('shell.language')}>
          <IconWorld size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Languages />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Light, dark, or as the system has it. */
export function SchemeMenu() {
  const t = useWords()
  const { scheme } = useLook()
  const Current = schemes.find(({ value }) => value === scheme)?.icon ?? IconSun
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t('shell.scheme')}>
          <Current size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Schemes />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Languages and colours, named, as parts of a menu that has other entries too. */
export function LookGroups() {
  const t = useWords()
  return (
    <>
      <MenuGroup label={t('shell.language')}>
        <Languages />
      </MenuGroup>
      <MenuGroup label={t('shell.scheme')}>
        <Schemes />
      </MenuGroup>
    </>
  )
}

function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <Menu.Divider />
      <Menu.Label id={id}>{label}</Menu.Label>
      {children}
    </div>
  )
}

function Languages() {
  const { language, setLanguage } = useLook()
  return (
    <Menu.RadioGroup value={language} onChange={(code) => void setLanguage(code as Language)}>
      {languages.map((code) => (
        <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
          {languageNames[code]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

function Schemes() {
  const t = useWords()
  const { scheme, setScheme } = useLook()
  return (
    <Menu.RadioGroup value={scheme} onChange={(value) => setScheme(value as Scheme)}>
      {schemes.map(({ value }) => (
        <Menu.RadioItem key={value} value={value} closeMenuOnClick>
          {t(`shell.scheme.${value}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
