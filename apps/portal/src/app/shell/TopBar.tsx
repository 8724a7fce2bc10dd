import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { IconChevronDown, IconHelp, IconMenu2, IconSearch } from '@tabler/icons-react'
import { useSession } from '../../parts/session/session.ts'
import { LateMenus } from './LateMenus.tsx'
import { OrganizationMark } from '../switcher/OrganizationMark.tsx'
import classes from './TopBar.module.css'
import type { Overlay } from './use-shortcuts.ts'

type TopBarProps = { onMenu: () => void; menuOpen: boolean; open: (overlay: Overlay) => void }

/** Organization, search, look, help and person; on every page. */
export function TopBar({ onMenu, menuOpen, open }: TopBarProps) {
  const t = useWords()
  const { organization } = useSession()
  return (
    <header className={classes.bar}>
      <ActionIcon
        className={classes.burger}
        data-hidden={menuOpen || undefined}
        onClick={onMenu}
        size={32}
        aria-label={t('shell.menu')}
        aria-expanded={menuOpen}
      >
        <IconMenu2 size={18} stroke={1.6} />
      </ActionIcon>
      <UnstyledButton
        className={classes.organization}
        onClick={() => open('organizations')}
        aria-haspopup="dialog"
        aria-label={t('shell.switch', { name: organization.label || organization.name })}
      >
        <OrganizationMark organization={organization} />
        <span className={classes.name}>{organization.label || organization.name}</span>
        <IconChevronDown size={15} stroke={1.8} />
      </UnstyledButton>
      <UnstyledButton className={classes.search} onClick={() => open('palette')}>
        <IconSearch size={15} stroke={1.8} />
        <span className={classes.searchText}>{t('shell.search')}</span>
        <Kbd size="xs">{t('shell.key.ctrl')} K</Kbd>
      </UnstyledButton>
      <div className={classes.right}>
        <ActionIcon
          className={classes.help}
          size={32}
          onClick={() => open('help')}
          aria-label={t('shell.help.title')}
        >
          <IconHelp size={18} stroke={1.6} />
        </ActionIcon>
        <LateMenus person />
      </div>
    </header>
  )
}
