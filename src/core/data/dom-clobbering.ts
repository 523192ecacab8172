// Protects against DOM clobbering: named elements of a page replace properties of documents and forms. After
// `<img name="title">`, `document.title` is the image.

/** A view of the object with the properties of its class, not the elements that replace them. Methods are bound. */
export function unclobbered<T extends object>(target: T): T {
  return new Proxy<T>(Object.getPrototypeOf(target) as T, {
    get(type, name) {
      let value: unknown = Reflect.get(target, name)
      // An element or a list of elements is never a primitive; some elements are functions.
      if (Object(value) === value && name in type) value = Reflect.get(type, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
    set: (type, name, value) => Reflect.set(type, name, value, target),
  })
}
