import type { Column } from '@longreach/ui/DataTable'
import { late } from '@longreach/ui/late'
import { SearchField } from '@longreach/ui/SearchField'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useMemo, useState } from 'react'
import { SeverityMark } from '../../parts/alarms/SeverityMark.tsx'
import type { NotificationRule } from '../../parts/notifications/notification-calls.ts'
import { useListSearch } from '../../parts/pages/use-list-search.ts'
import { withWords } from '../../parts/words/spoken-words.ts'
import { useRules } from './admin-calls.ts'
import { AdminList, nameColumn, NewButton } from './AdminList.tsx'
import { useRecipientNames } from './recipient-names.ts'

const NotificationRuleDialog = late(
  () => withWords(import('./NotificationRuleDialog.tsx'), 'rule-more'),
  'NotificationRuleDialog',
)

/** Rules: which alarms are told to whom. */
export function RulesTab() {
  const t = useWords()
  const { text, field, clear } = useListSearch()
  const list = useRules(text)
  const [opened, setOpened] = useState<NotificationRule | 'new'>()
  return (
    <>
      <AdminList
        tab="rules"
        actions={
          <NewButton
            permission="notifications:create"
            text={t('notifications-admin.newRule')}
            onClick={() => setOpened('new')}
          />
        }
        name="notification-rules"
        columns={useRuleColumns()}
        rows={list.data?.data ?? []}
        rowId={({ id }) => id}
        total={list.data?.totalElements}
        onOpen={setOpened}
        list={list}
        toolbar={<SearchField label={t('notifications-admin.searchRules')} {...field} />}
        none={{
          title: t('notifications-admin.noRules'),
          text: t('notifications-admin.noRulesText'),
        }}
        filtered={
          text === ''
            ? undefined
            : {
                title: t('notifications-admin.noRuleFound'),
                clear: t('notifications-admin.clearSearch'),
                onClear: clear,
              }
        }
      />
      {opened && (
        <NotificationRuleDialog
          {...(opened !== 'new' && { rule: opened })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function useRuleColumns(): Column<NotificationRule>[] {
  const t = useWords()
  const { toText } = useRecipientNames()
  return useMemo(
    () => [
      nameColumn(t('notifications-admin.name')),
      {
        id: 'state',
        label: t('notifications-admin.state'),
        width: 110,
        card: 'state' as const,
        cell: ({ enabled }) => (
          <Tag tone={enabled ? 'ok' : 'off'}>
            {enabled ? t('notifications-admin.on') : t('notifications-admin.off')}
          </Tag>
        ),
      },
      {
        id: 'severity',
        label: t('notifications-admin.from'),
        width: 130,
        card: 'detail' as const,
        value: ({ minimumSeverity }) => minimumSeverity,
        cell: ({ minimumSeverity }) => <SeverityMark severity={minimumSeverity} />,
      },
      {
        id: 'recipients',
        label: t('notifications-admin.recipients'),
        width: 240,
        grow: 3,
        card: 'detail' as const,
        cell: ({ recipientFilters }) =>
          recipientFilters
            .map((one) => (typeof one === 'string' ? one : toText({ ...one, id: String(one.id) })))
            .join(', '),
      },
    ],
    [t, toText],
  )
}
