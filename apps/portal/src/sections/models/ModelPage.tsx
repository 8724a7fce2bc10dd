import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useErrorText } from '../../lib/error-text.ts'
import { type Model, useModel } from './model-calls.ts'
import { ModelEditor } from './ModelEditor.tsx'

/** One version of a model. */
export function Component() {
  const t = useWords()
  const errorText = useErrorText()
  const { modelId = '' }: { modelId?: string } = useParams({ strict: false })
  const { data, error, refetch } = useModel(modelId)
  // What is loaded stays when it is loaded again, so that nobody's changes are thrown away by it.
  if (data) return <Opened key={data.id} model={data} />
  if (!error) return <ListSkeleton />
  return (
    <Page>
      <PageHeader title={t('models.model')} />
      <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
      <Anchor component={Link} to="/models">
        {t('models.backToList')}
      </Anchor>
    </Page>
  )
}

function Opened({ model }: { model: Model }) {
  const { id, name } = model
  // A version's tree never changes; the answer of a later call is the same one.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another version is another tree
  const start = useMemo(() => ({ name, root: model.json ?? {} }), [id])
  return <ModelEditor model={model} start={start} />
}
