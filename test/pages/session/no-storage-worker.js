// The worker in a browser that refuses its storage, or has none: `?how=refused` or `?how=none`.
if (location.search.includes('none')) Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
else
  IDBFactory.prototype.open = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
void import('/src/host/worker.ts')
