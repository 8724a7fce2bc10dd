import { Facts } from '@longreach/ui/SidePanel'
import { CopyText } from '@longreach/ui/CopyText'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Switch, Textarea, TextInput } from '@mantine/core'
import type { Draft } from './role-calls.ts'
import classes from './RoleFacts.module.css'

export type Editing = {
  draft: Draft
  /** Why nothing may be changed. */
  locked: string | undefined
  onEdit: (patch: Partial<Draft>) => void
}

/** Fields of the role: its name, its state, and the organizations in which it holds. */
export function RoleFacts({ name, draft, locked, onEdit }: Editing & { name: string }) {
  const t = useWords()
  if (locked !== undefined) return <FixedFacts name={name} draft={draft} />
  return (
    <Panel title={t('roles.facts')}>
      <div className={classes.facts}>
        <TextInput
          label={t('roles.label')}
          value={draft.label}
          maxLength={255}
          error={draft.label.trim() === '' && t('roles.labelNeeded')}
          onChange={(event) => onEdit({ label: event.currentTarget.value })}
        />
        <div>
          <span className={classes.fact}>{t('roles.name')}</span>
          <CopyText text={name} label={t('roles.name')} />
        </div>
        <Textarea
          className={classes.wide ?? ''}
          label={t('roles.description')}
          autosize
          minRows={1}
          maxLength={2000}
          value={draft.description}
          onChange={(event) => onEdit({ description: event.currentTarget.value })}
        />
        <Switch
          label={t('roles.inheritLabel')}
          description={t('roles.inheritHelp')}
          checked={draft.inherit}
          onChange={(event) => onEdit({ inherit: event.currentTarget.checked })}
        />
        <Switch
          label={t('roles.enabledLabel')}
          description={t('roles.enabledHelp')}
          checked={draft.enabled}
          onChange={(event) => onEdit({ enabled: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  )
}

/** Facts of a role that cannot be changed here, as text. */
function FixedFacts({ name, draft }: { name: string; draft: Draft }) {
  const t = useWords()
  const state = (on: boolean) => t(on ? 'roles.yes' : 'roles.no')
  return (
    <Panel title={t('roles.facts')}>
      <Facts
        items={[
          { label: t('roles.label'), value: draft.label },
          { label: t('roles.name'), value: <CopyText text={name} label={t('roles.name')} /> },
          { label: t('roles.description'), value: draft.description || '—' },
          { label: t('roles.inheritLabel'), value: state(draft.inherit) },
          { label: t('roles.enabledLabel'), value: state(draft.enabled) },
        ]}
      />
    </Panel>
  )
}
