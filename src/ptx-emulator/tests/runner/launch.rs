//! Reads the directives of a launch: `launch`, `args`, `in`, `options`, `orders`.

use super::number::{bits, bytes_of, list, whole};
use super::read::Case;
use ptx_emulator::{Arg, BufferId, Device, Dim3, Launch, Measure, Memory, Options, Schedule};

/// A launch as a case describes it.
pub(crate) struct Setting {
    pub(crate) launch: Launch,
    pub(crate) memory: Memory,
    pub(crate) buffers: Vec<(String, BufferId)>,
    pub(crate) options: Options,
    /// Launches on the same memory.
    pub(crate) times: usize,
    /// True if a launch may start before the one before it has ended.
    pub(crate) dependent: bool,
    /// The orders of warps that must give the same.
    pub(crate) orders: Vec<Schedule>,
}

impl Setting {
    /// Reads the directives of a case.
    ///
    /// # Errors
    /// A directive that is not understood.
    pub(crate) fn of(case: &Case) -> Result<Self, String> {
        let mut setting = Self {
            launch: Launch::default(),
            memory: Memory::new(),
            buffers: Vec::new(),
            options: Options {
                measure: Measure::All,
                global_hazards: true,
                step_budget: Some(1 << 22),
                threads: Some(1),
                ..Options::default()
            },
            times: 1,
            dependent: false,
            orders: Vec::new(),
        };
        for (key, value) in pairs(case.last("launch")) {
            setting.geometry(key, value)?;
        }
        for (name, value) in pairs(case.last("args")) {
            setting.argument(name, value)?;
        }
        let mut scalars = setting.launch.args.iter_mut().filter(|arg| !matches!(arg, Arg::Buffer(_)));
        for value in case.last("in").into_iter().flat_map(|values| values.split([',', ' '])).filter(|v| !v.is_empty()) {
            *scalars.next().ok_or("`in` has more values than the kernel has scalars")? = Arg::U64(bits("u64", value)?);
        }
        for (key, value) in pairs(case.last("options")) {
            setting.option(key, value)?;
        }
        setting.orders = match case.last("orders") {
            None => Vec::new(),
            Some("all") => vec![
                Schedule::RoundRobin,
                Schedule::Priority(vec![3, 2, 1, 0]),
                Schedule::Priority(vec![0]),
                Schedule::Seeded(1),
                Schedule::Seeded(2),
            ],
            Some(other) => return Err(format!("`orders` is `all`, not `{other}`")),
        };
        Ok(setting)
    }

    fn geometry(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "grid" => self.launch.grid = extent(value)?,
            "block" => self.launch.block = extent(value)?,
            "cluster" => self.options.cluster = Some(extent(value)?),
            "shared" => self.launch.dynamic_shared = whole(value)? as u64,
            "cooperative" => self.launch.cooperative = true,
            "times" => self.times = whole(value)?,
            "dependent" => self.dependent = true,
            _ => return Err(format!("`launch` has no `{key}`")),
        }
        Ok(())
    }

    /// Adds an argument: `u32:7`, `buf:zeros:64`, `buf:unwritten:64`, or `buf:u32:` and a list.
    fn argument(&mut self, name: &str, value: &str) -> Result<(), String> {
        let (ty, rest) = value.split_once(':').ok_or_else(|| format!("`{value}` is not an argument"))?;
        let arg = match (ty, rest.split_once(':')) {
            ("buf", Some((ty, contents))) => {
                let id = match ty {
                    "zeros" => self.memory.add(name, &vec![0; whole(contents)?]),
                    "unwritten" => self.memory.add_uninitialised(name, whole(contents)?),
                    _ => self.memory.add(name, &list(ty, contents)?),
                };
                self.buffers.push((name.to_owned(), id));
                Arg::Buffer(id)
            }
            _ => match (bytes_of(ty)?, bits(ty, rest)?) {
                (4, bits) => Arg::U32(bits as u32),
                (8, bits) => Arg::U64(bits),
                (size, bits) => Arg::Bytes(bits.to_le_bytes()[..size].into()),
            },
        };
        self.launch.args.push(arg);
        Ok(())
    }

    fn option(&mut self, key: &str, value: &str) -> Result<(), String> {
        let options = &mut self.options;
        match key {
            "uninitialised_shared" => options.fault_on_uninitialised_shared = true,
            "uninitialised_local" => options.fault_on_uninitialised_local = true,
            "unwritten_is_nan" => options.unwritten_is_nan = true,
            "follow_unwritten" => options.follow_unwritten = true,
            "steady_clock" => options.steady_clock = true,
            "unfused" => options.unfused = true,
            "steps" => options.step_budget = Some(whole(value)? as u64),
            "heap" => options.heap_bytes = Some(whole(value)? as u64),
            "stack" => options.stack_bytes = Some(whole(value)? as u64),
            "sample" => options.sample_blocks = Some(whole(value)? as u64),
            "device" => options.device = device(value)?,
            "multiprocessors" => options.device.multiprocessors = whole(value)? as u32,
            "seed" => options.schedule = Schedule::Seeded(whole(value)? as u64),
            "priority" => {
                let warps = value.split(',').map(|warp| whole(warp).map(|warp| warp as u32));
                options.schedule = Schedule::Priority(warps.collect::<Result<_, _>>()?);
            }
            _ => return Err(format!("`options` has no `{key}`")),
        }
        Ok(())
    }
}

fn device(name: &str) -> Result<Device, String> {
    let known = Device::NAMED.into_iter().find(|(known, _)| *known == name);
    known.map(|(_, device)| device).ok_or_else(|| format!("there is no device `{name}`"))
}

/// Returns words and their values: `grid=2 cooperative`.
fn pairs(text: Option<&str>) -> impl Iterator<Item = (&str, &str)> {
    text.into_iter().flat_map(str::split_whitespace).map(|word| word.split_once('=').unwrap_or((word, "")))
}

/// Reads `2`, `2,3` or `2,3,4`.
fn extent(text: &str) -> Result<Dim3, String> {
    let mut all = [1; 3];
    for (at, part) in text.split(',').enumerate() {
        *all.get_mut(at).ok_or("an extent has at most three parts")? = whole(part)? as u32;
    }
    Ok(all)
}
