/** Renders grey bars in place of a list that is loading. */
export function ListSkeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      {[80, 62, 92, 70, 55].map((width) => (
        <div key={width} class={`skel w-${width}`} />
      ))}
    </div>
  );
}
