import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import type { Column } from '@longreach/ui/DataTable'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Checkbox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useListSearch } from '../../parts/pages/use-list-search.ts'
import { type DeviceGroup, useDeviceGroups } from './group-calls.ts'
import { GroupType, useGroupName } from './GroupType.tsx'

const GroupNameDialog = late(() => import('./GroupNameDialog.tsx'), 'GroupNameDialog')

/** Sets of devices that roles and people can be limited to. */
export function Component() {
  const t = useWords()
  const navigate = useNavigate()
  const [search, change] = useSearch()
  const { text, field, clear } = useListSearch()
  const ownToo = one(search['all']) === 'true'
  const list = useDeviceGroups(text, ownToo)
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? []
  const total = list.data?.pages[0]?.totalElements
  return (
    <ListPage
      title={t('shell.section.device-groups')}
      count={total}
      help={t('device-groups.help')}
      actions={<NewGroupButton />}
      name="device-groups"
      columns={useColumns()}
      rows={rows}
      rowId={({ id }) => String(id)}
      total={total}
      onOpen={({ id }) => void navigate({ to: `/devices/groups/${id}` })}
      list={list}
      toolbar={
        <>
          <SearchField label={t('device-groups.search')} {...field} />
          <Checkbox
            label={t('device-groups.ownToo')}
            checked={ownToo}
            onChange={(event) =>
              void change({ all: event.currentTarget.checked ? 'true' : undefined })
            }
          />
        </>
      }
      footer={
        total !== undefined && (
          <span>{t('device-groups.shown', { shown: rows.length, total })}</span>
        )
      }
      none={{
        title: t('device-groups.none'),
        text: t('device-groups.noneText'),
        action: <NewGroupButton />,
      }}
      filtered={
        text === ''
          ? undefined
          : {
              title: t('device-groups.notFound'),
              clear: t('device-groups.clearFilter'),
              onClear: clear,
            }
      }
    />
  )
}

function useColumns(): Column<DeviceGroup>[] {
  const t = useWords()
  const intl = useIntl()
  const nameOf = useGroupName()
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('device-groups.name'),
        width: 220,
        grow: 3,
        fixed: true,
        card: 'title' as const,
        value: nameOf,
        cell: (group: DeviceGroup) => (
          <Anchor component={Link} to={`/devices/groups/${group.id}`} inherit fw={550}>
            {nameOf(group)}
          </Anchor>
        ),
      },
      {
        id: 'type',
        label: t('device-groups.type'),
        width: 180,
        grow: 1,
        card: 'state' as const,
        cell: ({ type }: DeviceGroup) => <GroupType type={type} />,
      },
      {
        id: 'devices',
        label: t('device-groups.devices'),
        width: 110,
        align: 'end' as const,
        card: 'detail' as const,
        cell: ({ devices }: DeviceGroup) =>
          devices === undefined ? '—' : intl.formatNumber(devices),
      },
      {
        id: 'holders',
        label: t('device-groups.holders'),
        width: 190,
        align: 'end' as const,
        cell: ({ holders }: DeviceGroup) =>
          holders === undefined ? '—' : intl.formatNumber(holders),
      },
    ],
    [t, intl, nameOf],
  )
}

function NewGroupButton() {
  const t = useWords()
  const may = useMay()('devicegroups:create')
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionButton
        reason={may ? undefined : t('device-groups.mayNotCreate')}
        leftSection={<IconPlus size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('device-groups.new')}
      </ActionButton>
      {opened && (
        <GroupNameDialog
          onClose={() => setOpened(false)}
          onDone={({ id }) => void navigate({ to: `/devices/groups/${id}` })}
        />
      )}
    </>
  )
}
