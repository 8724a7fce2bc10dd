import { PageHeader } from '@longreach/ui/PageHeader'
import { Tag } from '@longreach/ui/StatusDot'
import { type MessageId, useWords } from '@longreach/ui/use-words'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMay, useSession } from '../../parts/session/session.ts'
import type { Model } from './model-calls.ts'
import { Sharing } from './model-columns.tsx'
import { ModelMenu } from './ModelMenu.tsx'
import { Breadcrumb } from '../../parts/pages/Breadcrumb.tsx'
import shared from './models.module.css'
import classes from './EditorHeader.module.css'

/** Header with the edited model and version, its menu, and the reason when it is locked. */
export function EditorHeader({
  model,
  lock,
  dirty,
}: {
  model: Model | undefined
  lock: MessageId | undefined
  dirty: boolean
}) {
  const t = useWords()
  return (
    <>
      <PageHeader
        title={model?.name ?? t('models.new')}
        beside={
          model && (
            <>
              <Tag tone="info">{model.version}</Tag>
              <Sharing model={model} />
            </>
          )
        }
        trail={<Breadcrumb to="/models" section="models" />}
        actions={model && <Actions model={model} dirty={dirty} />}
      />
      {lock && model && (
        <p className={shared.note}>{t(lock, { organization: model.orgResourceId })}</p>
      )}
    </>
  )
}

/** Why the model cannot be changed here, as a message; undefined when it can. */
export function useLock(model: Model | undefined): MessageId | undefined {
  const may = useMay()
  const own = useSession().organization.resourceId
  if (!model) return undefined
  if (model.orgResourceId !== own) return 'models.lockedShared'
  return may('models:update') ? undefined : 'models.lockedNoRight'
}

function Actions({ model, dirty }: { model: Model; dirty: boolean }) {
  const t = useWords()
  const navigate = useNavigate()
  const may = useMay()
  return (
    <>
      {may('models:create') && !dirty && (
        <Button
          variant="default"
          onClick={() => void navigate({ to: '/presets/new', search: { model: model.id } })}
        >
          {t('models.makePreset')}
        </Button>
      )}
      <ModelMenu model={model} onDeleted={() => void navigate({ to: '/models' })} />
    </>
  )
}

type NameProps = { name: string; error: string | undefined; onChange: (name: string) => void }

/** The name of a model that is made. */
export function NameOfNew({ name, error, onChange }: NameProps) {
  const t = useWords()
  const isGood = name === '' || /^[A-Za-z_][\w.-]{0,199}$/.test(name)
  return (
    <TextInput
      className={classes.modelName ?? ''}
      label={t('models.modelName')}
      description={t('models.modelNameHelp')}
      required
      withAsterisk={false}
      value={name}
      error={isGood ? error : t('models.badModelName')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
