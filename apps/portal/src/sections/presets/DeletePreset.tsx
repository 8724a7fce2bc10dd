import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { presetsChanged, useHere } from './preset-calls.ts'
import type { PresetLine } from './preset-columns.tsx'

type Props = { preset: PresetLine; onClose: () => void; onDeleted: () => void }

/** Deletes a preset that no device has; its name is typed first. */
export function DeletePreset({ preset: { id, name, use }, onClose, onDeleted }: Props) {
  const t = useWords()
  const here = useHere()
  const errorText = useErrorText()
  const remove = useMutation({
    mutationFn: () => api.mappings.deletePreset({ params: { id }, query: here }),
    onSuccess: async () => {
      onDeleted()
      await presetsChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('presets.deleteTitle', { name })}
      verb={t('presets.delete')}
      danger
      typed={name}
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('presets.deleteText', { count: use?.devices ?? 0 })}
    </ConfirmDialog>
  )
}
