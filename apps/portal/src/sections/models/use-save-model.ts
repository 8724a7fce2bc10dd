import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { type Model, modelsChanged } from './model-calls.ts'
import type { ModelFile } from './model-file.ts'

type Kept = ModelFile & { expected: string | undefined }

/** Save a new model or the next version, and go to what was saved. */
export function useSaveModel(model: Model | undefined, beforeLeaving: () => void) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const organization = useSession().organization.resourceId
  const save = useMutation({
    mutationFn: async ({ name, root, expected }: Kept) => {
      const body = { name, data: { ...root }, settle: true }
      if (!model) return api.mappings.createModel({ query: { organization }, body })
      const { value } = await api.mappings.updateModel({
        params: { id: model.id },
        query: { organization },
        body: { ...body, ...(expected !== undefined && { expected }) },
      })
      return value
    },
    onSuccess: async ({ id, name, version }) => {
      await modelsChanged()
      toast({ message: t('models.saved', { name, version }) })
      beforeLeaving()
      await navigate({ to: `/models/${id}`, replace: true })
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const nameError = failure?.fields['name']
  return {
    ...save,
    nameError,
    failure: model || nameError === undefined ? failure?.message : undefined,
  }
}
