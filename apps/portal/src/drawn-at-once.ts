import React from 'react'
import { flushSync } from 'react-dom'

/** In place of React's `act`, which its build for production has not: what a test shows is drawn when `render` returns. */
async function act(run: () => Promise<void>) {
  let done = Promise.resolve()
  flushSync(() => {
    done = run()
  })
  await done
}

Object.assign(React, { act })
