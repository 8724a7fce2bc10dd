import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Popover, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../parts/session/session.ts'
import { useRoleLabel } from '../../parts/access/role-text.ts'
import { type Listed, personName } from './people-calls.ts'
import shared from './permission.module.css'
import classes from './RolesCell.module.css'

const RolesForm = late(() => import('./RolesForm.tsx'), 'RolesForm')

/** The roles that a person holds, changed where they stand. */
export function RolesCell({ person }: { person: Listed }) {
  const t = useWords()
  const may = useMay()
  const labelOf = useRoleLabel()
  const [opened, setOpened] = useState(false)
  const { roles, ownGroup } = person
  if (roles === undefined) return <>—</>
  const names = roles.map(labelOf).join(', ')
  const text = names === '' ? t('permission.noRole') : names
  const mayChange = may('usergroups:update') && may('roles:read') && ownGroup !== undefined
  if (!mayChange) return <span className={shared.name}>{text}</span>
  const close = () => setOpened(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      trapFocus
      returnFocus
      withinPortal
      width={320}
      position="bottom-start"
      shadow="md"
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.rolesButton}
          data-none={roles.length === 0 || undefined}
          title={text}
          aria-label={t('permission.changeRolesOf', { name: personName(person), roles: text })}
          onClick={() => setOpened(!opened)}
        >
          <span className={shared.name}>{text}</span>
          <IconChevronDown size={14} stroke={1.8} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown
        // The row below opens its panel by clicks and keys.
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
      >
        {opened && <RolesForm person={person} onClose={close} />}
      </Popover.Dropdown>
    </Popover>
  )
}
