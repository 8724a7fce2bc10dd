import { useState } from 'react'
import { type Shelved, ShelveDialog } from '../../../parts/alarms/ShelveDialog.tsx'
import { ShelfTargetFields } from './ShelfTargetFields.tsx'

/** Dialog that shelves what is chosen in it. */
export function NewShelfDialog({ onClose }: { onClose: () => void }) {
  const [about, setAbout] = useState<Shelved>()
  return (
    <ShelveDialog
      about={about}
      renderTarget={(isMissing) => <ShelfTargetFields onChange={setAbout} isMissing={isMissing} />}
      onClose={onClose}
    />
  )
}
