import { ActionButton } from '@longreach/ui/ActionButton'
import type { Column } from '@longreach/ui/DataTable'
import { Split } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { ListTable } from '../../parts/pages/ListTable.tsx'
import { useMay, useSession } from '../../parts/session/session.ts'
import { RuleDialog } from './RuleDialog.tsx'
import { type Rule, rulesChanged, useRetention } from './storage-calls.ts'
import { nameOf } from './storage-rules.ts'

type Editing = Rule | 'new'

/** View of the retention rules: those of the organization, and inherited ones that hold here too. */
export function RetentionView() {
  const t = useWords()
  const may = useMay()('organizations:update')
  const list = useRetention()
  const [editing, setEditing] = useState<Editing>()
  const rules = list.data?.rules ?? []
  const add = (
    <ActionButton
      reason={may ? undefined : t('storage.mayNot')}
      leftSection={<IconPlus size={16} />}
      onClick={() => setEditing('new')}
    >
      {t('storage.newRule')}
    </ActionButton>
  )
  return (
    <Split>
      <ListTable
        name="retention"
        label={t('storage.views.retention')}
        columns={useColumns(may, setEditing)}
        rows={rules}
        rowId={({ id }) => id}
        list={list}
        toolbar={rules.length > 0 ? add : undefined}
        footer={<LastRun at={list.data?.lastRun} />}
        none={{ title: t('storage.noRules'), text: t('storage.noRulesText'), action: add }}
      />
      {editing !== undefined && (
        <RuleDialog
          rule={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Split>
  )
}

function LastRun({ at }: { at: number | null | undefined }) {
  const t = useWords()
  if (!at) return t('storage.notRun')
  return (
    <span>
      {t('storage.lastRun')} <RelativeTime at={at} />
    </span>
  )
}

function useColumns(may: boolean, edit: (rule: Rule) => void): Column<Rule>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        id: 'what',
        label: t('storage.what'),
        width: 240,
        grow: 2,
        fixed: true,
        sortable: true,
        card: 'title' as const,
        value: ({ path, model }) => path || model,
        cell: ({ path, model }) =>
          path || (model === '' ? t('storage.everything') : t('storage.ofModel', { model })),
      },
      {
        id: 'keepDays',
        label: t('storage.kept'),
        width: 130,
        sortable: true,
        card: 'state' as const,
        value: ({ keepDays }) => keepDays,
        cell: ({ keepDays }) => t('storage.days', { days: keepDays }),
      },
      {
        id: 'organization',
        label: t('storage.by.organization'),
        width: 150,
        grow: 1,
        sortable: true,
        card: 'detail' as const,
        value: ({ organization }) => organization,
        cell: ({ organization, inherited }) =>
          inherited
            ? t('storage.inherited', { organization: nameOf(organization) })
            : nameOf(organization),
      },
      {
        id: 'changed',
        label: t('storage.changed'),
        width: 190,
        cell: ({ changedAt, changedBy }) => (
          <span>
            <RelativeTime at={changedAt} /> {changedBy}
          </span>
        ),
      },
      {
        id: 'actions',
        label: t('storage.actions'),
        width: 220,
        fixed: true,
        card: 'detail' as const,
        cell: (rule) => <RuleActions rule={rule} may={may} onEdit={() => edit(rule)} />,
      },
    ],
    [t, may, edit],
  )
}

type ActionProps = { rule: Rule; may: boolean; onEdit: () => void }

function RuleActions({ rule, may, onEdit }: ActionProps) {
  const t = useWords()
  const remove = useRemove(rule)
  const why = rule.inherited ? t('storage.changedAbove') : may ? undefined : t('storage.mayNot')
  return (
    <Group gap={6} wrap="nowrap">
      <ActionButton reason={why} size="compact-xs" variant="default" onClick={onEdit}>
        {t('storage.change')}
      </ActionButton>
      <ActionButton
        reason={why}
        size="compact-xs"
        variant="default"
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('storage.remove')}
      </ActionButton>
    </Group>
  )
}

/** Taking a rule away only keeps more: it needs no question, and Undo brings it back. */
function useRemove({ id, model, path, keepDays }: Rule) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const params = { org: useSession().organization.resourceId }
  const failed = (error: unknown) => toast({ kind: 'failed', message: errorText(error).message })
  const undo = () => {
    const body = { model, path, keepDays }
    api.platform.saveRetention({ params, body }).then(rulesChanged).catch(failed)
  }
  return useMutation({
    mutationFn: () => api.platform.deleteRetention({ params: { ...params, rule: id } }),
    onSuccess: () => {
      toast({ message: t('storage.removed'), action: { label: t('storage.undo'), run: undo } })
      return rulesChanged()
    },
    onError: failed,
  })
}
