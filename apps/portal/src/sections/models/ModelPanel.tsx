import { CopyText } from '@longreach/ui/CopyText'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { nodesOf } from '../../parts/models/model-tree-rules.ts'
import { type Model, useModel } from './model-calls.ts'
import { Sharing } from './model-columns.tsx'
import { ModelMenu } from './ModelMenu.tsx'
import { Usage } from './Usage.tsx'
import { PanelPending } from '../../parts/pages/ContentPending.tsx'

/** A model beside the list: what it is, and who uses it. */
export function ModelPanel({ modelId, onClose }: { modelId: string; onClose: () => void }) {
  const t = useWords()
  const { data: model, error, refetch } = useModel(modelId)
  if (!model)
    return <PanelPending title={t('models.model')} onClose={onClose} {...{ error, refetch }} />
  return (
    <SidePanel
      title={model.name}
      facts={<Sharing model={model} />}
      actions={
        <>
          <Button component={Link} to={`/models/${model.id}`}>
            {t('models.open')}
          </Button>
          <ModelMenu model={model} onDeleted={onClose} />
        </>
      }
      onClose={onClose}
    >
      <PanelSection title={t('models.facts')}>
        <ModelFacts model={model} />
      </PanelSection>
      <PanelSection title={t('models.tab.usage')}>
        <Usage modelId={model.id} />
      </PanelSection>
    </SidePanel>
  )
}

function ModelFacts({ model }: { model: Model }) {
  const t = useWords()
  const description = model.json?.['description']
  const values = nodesOf(model.json ?? {}).length - 1
  return (
    <Facts
      items={[
        { label: t('models.version'), value: model.version },
        { label: t('models.paths'), value: String(values) },
        ...(typeof description === 'string' && description !== ''
          ? [{ label: t('models.description'), value: description }]
          : []),
        { label: t('models.organization'), value: model.orgResourceId },
        { label: t('models.updated'), value: <RelativeTime at={model.updatedAt} /> },
        { label: t('models.id'), value: <CopyText text={model.id} label={t('models.id')} /> },
      ]}
    />
  )
}
