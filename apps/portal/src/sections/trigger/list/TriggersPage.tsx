import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { ListPage } from '../../../parts/pages/ListPage.tsx'
import type { Asked, Search } from '../../../parts/pages/section.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { queries } from '../../../parts/api/queries.ts'
import { triggersQuery, useMayNotChange, useTriggerOrganization } from '../trigger-calls.ts'
import { BlockedNotice } from './BlockedNotice.tsx'
import { useTriggerColumns } from './trigger-columns.tsx'

// Selects are loaded after the list.
const TriggerFilters = late(() => import('./TriggerFilters.tsx'), 'TriggerFilters')
const TriggerPanel = late(() => import('./TriggerPanel.tsx'), 'TriggerPanel')

export function loader({ org, search }: Asked) {
  void queries.prefetchInfiniteQuery(triggersQuery(org, triggerQuestion(search)))
}

/** Triggers of the organization: what each does, whether it runs, and how often it did. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const list = useInfiniteQuery(
    triggersQuery(useTriggerOrganization().organization, triggerQuestion(search)),
  )
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? []
  const total = list.data?.pages[0]?.totalElements
  const opened = one(search['trigger'])
  const shown = rows.find(({ id }) => id === opened)
  const isFiltered = Boolean(one(search['q']) ?? one(search['state']))
  const order = orderIn(search)
  return (
    <ListPage
      title={t('shell.section.trigger')}
      help={t('trigger.help')}
      count={total}
      actions={
        <>
          <Button component={Link} variant="default" {...linkTo('/trigger/actions', {})}>
            {t('trigger.allowedActions')}
          </Button>
          <NewTriggerButton />
        </>
      }
      above={<BlockedNotice />}
      name="triggers"
      columns={useTriggerColumns(rows)}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      sort={{ id: order.orderBy === 'name' ? 'name' : 'updated', desc: order.orderDir === 'desc' }}
      onSort={({ id, desc }) =>
        void change({ order: `${id === 'name' ? 'name' : 'updatedAt'}${desc ? '-desc' : ''}` })
      }
      selected={opened}
      onOpen={({ id }) => void change({ trigger: id })}
      list={list}
      toolbar={<TriggerFilters />}
      footer={total !== undefined && <span>{t('trigger.count', { total })}</span>}
      none={{
        title: t('trigger.none'),
        text: t('trigger.noneText'),
        action: <NewTriggerButton />,
      }}
      filtered={
        isFiltered
          ? {
              title: t('trigger.noneFound'),
              clear: t('trigger.clearFilter'),
              onClear: () => void change({ q: undefined, state: undefined }),
            }
          : undefined
      }
      panel={
        shown && (
          <TriggerPanel
            key={shown.id}
            trigger={shown}
            onClose={() => void change({ trigger: undefined })}
          />
        )
      }
    />
  )
}

function orderIn(search: Search) {
  const [by, direction] = (one(search['order']) ?? '').split('-')
  return {
    orderBy: by === 'updatedAt' ? ('updatedAt' as const) : ('name' as const),
    orderDir: direction === 'desc' ? ('desc' as const) : ('asc' as const),
  }
}

function triggerQuestion(search: Search) {
  const [text, state] = [one(search['q']), one(search['state'])]
  return {
    ...orderIn(search),
    ...(text && { search: text }),
    ...((state === 'on' || state === 'off') && { disabled: state === 'off' }),
  }
}

function NewTriggerButton() {
  const t = useWords()
  const navigate = useNavigate()
  const reason = useMayNotChange('create')
  return (
    <ActionButton
      reason={reason && t(reason)}
      leftSection={<IconPlus size={16} stroke={1.8} />}
      onClick={() => void navigate({ to: '/trigger/new' })}
    >
      {t('trigger.new')}
    </ActionButton>
  )
}
