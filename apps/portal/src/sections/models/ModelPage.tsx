import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { DetailPending } from '../../parts/pages/DetailPending.tsx'
import { FailedPage } from '../../parts/pages/FailedPage.tsx'
import { type Model, useModel } from './model-calls.ts'
import { ModelEditor } from './ModelEditor.tsx'

/** One version of a model. */
export function Component() {
  const { modelId = '' }: { modelId?: string } = useParams({ strict: false })
  const { data, error, refetch } = useModel(modelId)
  // What is loaded stays when it is loaded again, so that nobody's changes are thrown away by it.
  if (data) return <Opened key={data.id} model={data} />
  if (!error) return <DetailPending to="/models" section="models" shape={{ tabs: 4 }} />
  return <FailedPage kind="model" error={error} onRetry={() => void refetch()} />
}

function Opened({ model }: { model: Model }) {
  const { id, name } = model
  // A version's tree never changes; the answer of a later call is the same one.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another version is another tree
  const start = useMemo(() => ({ name, root: model.json ?? {} }), [id])
  return <ModelEditor model={model} start={start} />
}
