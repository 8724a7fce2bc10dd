import { useCallback, useEffect, useState } from 'react'

const wrong = 'form input:is([aria-invalid="true"], [data-error="true"])'

/** A function that puts the cursor into the first wrong field, once the page shows which those are. */
export function useFocusOnFault() {
  const [faults, setFaults] = useState(0)
  // After the render that shows the faults, since both changes are in one.
  useEffect(() => {
    if (faults > 0) document.querySelector<HTMLElement>(wrong)?.focus()
  }, [faults])
  return useCallback(() => setFaults((before) => before + 1), [])
}
