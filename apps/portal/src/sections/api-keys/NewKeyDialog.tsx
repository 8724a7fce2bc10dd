import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { useState } from 'react'
import type { ApiKey } from './api-key-calls.ts'
import { KeyShown } from './KeyShown.tsx'
import { NewKeyForm } from './NewKeyForm.tsx'

/** Makes a key and shows it, once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [made, setMade] = useState<ApiKey>()
  return (
    <Dialog
      size="lg"
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!made}
      title={made ? t('api-keys.madeTitle', { label: made.label }) : t('api-keys.new')}
    >
      {made ? (
        <KeyShown apiKey={made} onClose={onClose} />
      ) : (
        <NewKeyForm onMade={setMade} onCancel={onClose} />
      )}
    </Dialog>
  )
}
