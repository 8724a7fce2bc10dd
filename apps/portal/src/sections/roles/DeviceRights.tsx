import { type Action } from '@longreach/authorization/permissions'
import { hasCapability } from '@longreach/authorization/product-capabilities'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ModelPathRights } from './ModelPathRights.tsx'
import { useDeviceGroups } from './role-calls.ts'
import type { Rule } from './role-rights.ts'
import type { Editing } from './RoleFacts.tsx'
import classes from './roles.module.css'

/** The device side of a role: rights in single device groups, model paths, names of remote access. */
export function DeviceRights(editing: Editing) {
  return (
    <>
      <InGroups {...editing} />
      <ModelPathRights {...editing} />
      {hasCapability('remoteAccess') && <ByVpnName {...editing} />}
    </>
  )
}

const onDevices: readonly Action[] = ['read', 'update', 'access', 'create', 'delete']

function InGroups({ draft, locked, onEdit }: Editing) {
  const t = useWords()
  const groups = useDeviceGroups()
  const limited = draft.rules.filter(({ deviceGroup }) => deviceGroup !== null)
  const free = groups.filter(({ id }) => limited.every(({ deviceGroup }) => deviceGroup !== id))
  const replace = (deviceGroup: number, actions: readonly Action[]) =>
    onEdit({
      rules: [
        ...draft.rules.filter((rule) => rule.deviceGroup !== deviceGroup),
        ...(actions.length > 0
          ? [{ resource: 'devices' as const, actions: [...actions], deviceGroup, vpnName: null }]
          : []),
      ],
    })
  return (
    <Panel title={t('roles.inGroups')}>
      <p className={classes.text}>{t('roles.inGroupsHelp')}</p>
      {limited.map((rule) => (
        <LimitedRow
          key={rule.deviceGroup}
          name={groups.find(({ id }) => id === rule.deviceGroup)?.name ?? `#${rule.deviceGroup}`}
          {...{ rule, locked }}
          choices={onDevices}
          onChange={(actions) => replace(rule.deviceGroup ?? 0, actions)}
        />
      ))}
      {locked === undefined && (
        <div className={classes.add}>
          <Select
            aria-label={t('roles.addGroup')}
            placeholder={t(groups.length === 0 ? 'roles.noGroups' : 'roles.addGroup')}
            searchable
            disabled={free.length === 0}
            data={free.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={null}
            onChange={(id) => id !== null && replace(Number(id), ['read'])}
          />
        </div>
      )}
    </Panel>
  )
}

const onVpn: readonly Action[] = ['read', 'access', 'update']

function ByVpnName({ draft, locked, onEdit }: Editing) {
  const t = useWords()
  const [name, setName] = useState('')
  const limited = draft.rules.filter(({ vpnName }) => vpnName !== null)
  const replace = (vpnName: string, actions: readonly Action[]) =>
    onEdit({
      rules: [
        ...draft.rules.filter((rule) => rule.vpnName !== vpnName),
        ...(actions.length > 0
          ? [{ resource: 'vpn' as const, actions: [...actions], deviceGroup: null, vpnName }]
          : []),
      ],
    })
  return (
    <Panel title={t('roles.byVpnName')}>
      <p className={classes.text}>{t('roles.byVpnNameHelp')}</p>
      {limited.map((rule) => (
        <LimitedRow
          key={rule.vpnName}
          name={rule.vpnName ?? ''}
          {...{ rule, locked }}
          choices={onVpn}
          onChange={(actions) => replace(rule.vpnName ?? '', actions)}
        />
      ))}
      {locked === undefined && (
        <form
          className={classes.add}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '') replace(name.trim(), ['read', 'access'])
            setName('')
          }}
        >
          <TextInput
            aria-label={t('roles.vpnName')}
            placeholder={t('roles.vpnName')}
            value={name}
            maxLength={255}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" leftSection={<IconPlus size={15} stroke={1.8} />}>
            {t('roles.add')}
          </Button>
        </form>
      )}
    </Panel>
  )
}

type LimitedRowProps = {
  name: string
  rule: Rule
  choices: readonly Action[]
  locked: string | undefined
  onChange: (actions: readonly Action[]) => void
}

function LimitedRow({ name, rule, choices, locked, onChange }: LimitedRowProps) {
  const t = useWords()
  const off = locked !== undefined
  return (
    <div className={classes.limited} role="group" aria-label={name}>
      <strong className={classes.limitedName}>{name}</strong>
      <div className={classes.ticks}>
        {choices.map((action) => (
          <Checkbox
            key={action}
            label={t(`access.action.${action}`)}
            checked={rule.actions.includes(action)}
            disabled={off}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...rule.actions, action]
                  : rule.actions.filter((one) => one !== action),
              )
            }
          />
        ))}
      </div>
      {!off && (
        <ActionIcon aria-label={t('roles.remove', { name })} onClick={() => onChange([])}>
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      )}
    </div>
  )
}
